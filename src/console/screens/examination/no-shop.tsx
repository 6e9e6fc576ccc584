import { apiAddress } from '../../address.ts';
import { Code, Section } from '../../components/parts.tsx';

const STEPS = [
  {
    title: '1. Describe how to order in your shop',
    words: 'Writes examine.mjs. Fill in two functions: one places an order, the other reads its state.',
    command: 'npx merchant-sandbox examine --init',
  },
  {
    title: '2. Check that it works',
    words: 'Starts your shop, places one order on each channel, and shows it as both sides see it.',
    command: 'npx merchant-sandbox examine --dry-run --command "npm start"',
  },
  {
    title: '3. Start the sandbox with your shop',
    words: 'This screen then examines it and shows the results.',
    command: 'npx merchant-sandbox start --examine examine.mjs --examine-command "npm start"',
  },
];

/** What to do where the sandbox was started without a shop. */
export function NoShop() {
  return (
    <>
      <p class="lead">
        This sandbox was started without a shop to examine. Three commands set it up; your shop is not changed and does
        not know. <a href={`${apiAddress}guide/examine`}>Read how it works</a>.
      </p>
      {STEPS.map(({ title, words, command }) => (
        <Section key={command} title={title} level={2}>
          <p class="hint before-code">{words}</p>
          <Code text={command} label={`Command ${title.slice(0, 1)}`} isWrapped />
        </Section>
      ))}
    </>
  );
}
