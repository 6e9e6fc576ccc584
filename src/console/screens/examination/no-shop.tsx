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
    words: 'Starts your shop, places one real order in it on each channel, and shows each order as both sides see it.',
    command: 'npx merchant-sandbox examine --dry-run --command "npm start"',
  },
  {
    title: '3. Start the sandbox with your shop',
    words: 'Then this page lets you choose channels, amount and time, and shows the results.',
    command: 'npx merchant-sandbox start --examine examine.mjs --examine-command "npm start"',
  },
];

/** Instructions for a sandbox that was started without a shop. */
export function NoShop() {
  return (
    <>
      <p class="lead">
        Set it up on the command line with three commands, because your shop runs on your machine. The code of your shop
        stays as it is. <a href={`${apiAddress}guide/examine`}>Read how it works</a>.
      </p>
      {STEPS.map(({ title, words, command }) => (
        <Section key={command} title={title} level={2}>
          <p class="hint hint-above">{words}</p>
          <Code text={command} label={`Command ${title.slice(0, 1)}`} isWrapped />
        </Section>
      ))}
    </>
  );
}
