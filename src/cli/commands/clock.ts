import { plural } from '../../base/text/plural.ts';
import { printable } from '../../base/text/printable.ts';
import { DURATION_WORDS, isDuration } from '../../base/time.ts';
import type { SandboxClient } from '../../client/client.ts';
import type { ShownClock } from '../../client/shown.ts';
import { type Command, UsageError } from '../../command/command.ts';
import { cellOf } from '../../command/show.ts';
import { listWords } from '../../command/suggestion.ts';
import { factsOfEvent } from '../../server/http/log-lines.ts';

const MAX_SHOWN_EVENTS = 50;

export const CLOCK_COMMAND: Command = {
  name: 'clock',
  parameters: ['[action]', '[value]'],
  help: 'show or set the clock: freeze [timestamp], advance <duration>, real, or idle (advance until only settlements are due)',
  suggest: (_client, args) => (args.length === 0 ? listWords('freeze', 'advance', 'real', 'idle') : []),
  async run(client, [action, value]) {
    const clock = await actOnClock(client, action, value);
    return { data: clock, text: textOfClock(clock) };
  },
};

function actOnClock(client: SandboxClient, action: string | undefined, value: string | undefined): Promise<ShownClock> {
  if (value !== undefined && (action === 'real' || action === 'idle')) {
    throw new UsageError(`clock ${action} takes no value; leave out ${value}`);
  }
  switch (action) {
    case undefined:
      return client.clock();
    case 'freeze':
      return client.freeze(value);
    case 'advance':
      if (value === undefined) {
        throw new UsageError('clock advance needs a duration, such as 15m or P1M');
      }
      if (!isDuration(value)) {
        throw new UsageError(`clock advance takes ${DURATION_WORDS}, not ${JSON.stringify(value)}`);
      }
      return client.advance(value);
    case 'real':
      return client.unfreeze();
    case 'idle':
      return client.runUntilIdle();
    default:
      throw new UsageError(`clock takes freeze, advance, real or idle, not ${action}`);
  }
}

function textOfClock({ mode, now, ahead, nextDue, happened, more = 0 }: ShownClock): string {
  const text =
    mode === 'frozen'
      ? 'frozen'
      : ahead === null
        ? "real, the machine's own time"
        : `real, moved ahead by ${cellOf(ahead)}`;
  const listed = (happened ?? []).slice(0, MAX_SHOWN_EVENTS);
  const total = (happened ?? []).length + Number(more);
  const omitted = total - listed.length;
  return [
    `clock     ${text}`,
    `now       ${cellOf(now)}`,
    `next due  ${nextDue === null ? 'nothing' : cellOf(nextDue)}`,
    ...(happened === undefined ? [] : [`happened  ${happened.length === 0 ? 'nothing' : plural(total, 'event')}`]),
    ...listed.map((event) => printable(`  ${event.at}  ${event.type}  ${factsOfEvent(event)}`.trimEnd())),
    ...(omitted > 0 ? [`  and ${omitted} more`] : []),
  ].join('\n');
}
