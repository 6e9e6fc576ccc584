import { apiAddress } from '../../address.ts';
import { Icon } from '../../components/icon.tsx';

/** The files of a settlement, by their paths below that of the settlement. */
export function Downloads({ id, files }: { id: string; files: readonly (readonly [label: string, path: string])[] }) {
  return (
    <div class="actions">
      {files.map(([label, path]) => (
        <a key={label} class="button" href={`${apiAddress}settlements/${id}/${path}`} target="_blank" rel="noreferrer">
          <Icon name="down" />
          {label}
        </a>
      ))}
    </div>
  );
}
