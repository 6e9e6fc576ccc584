import type { EventView } from '../../../base/schema/generated/control.ts';
import { inWords } from '../../../base/text/words.ts';
import { pathOf } from '../../address.ts';
import { askForAll } from '../../api.ts';
import { JsonView } from '../../components/json-view.tsx';
import { Empty, Facts, Id, Moment, Section } from '../../components/parts.tsx';
import { pathOfRecord } from '../../path-of-record.ts';
import { SubjectAmount } from '../../record/money.tsx';
import { RecordDetail } from '../../record/record-detail.tsx';
import { RecordHead } from '../../record/record-head.tsx';

export function EventDetail({ id }: { id: string }) {
  return <RecordDetail id={id} collection="events" load={fetchEvent} show={showEvent} />;
}

const fetchEvent = async (id: string) =>
  (await askForAll<EventView>('event-log', {})).find((event) => String(event.id) === id);

function showEvent(event: EventView | undefined) {
  if (event === undefined) {
    return (
      <Empty title="This event is no longer stored">
        <p>The sandbox keeps the last 1,000 events.</p>
      </Empty>
    );
  }
  const { id, type, at, collection, subject, subjectId, requestId: call, data } = event;
  const path = pathOfRecord(collection, subjectId);
  return (
    <>
      <RecordHead
        kind={`Event · ${id}`}
        name={inWords(type)}
        amount={<SubjectAmount subject={subject} />}
        detail={subject?.reference}
      />
      <Section title="Facts">
        <Facts
          facts={[
            ['Time', <Moment key="at" at={at} />],
            ['Type', <Id key="type" id={type} />],
            ['Record', path === undefined ? subjectId : <a href={path}>{subjectId}</a>],
            ['Caused by', call === null ? 'the clock or the console' : <a href={pathOf('traffic', call)}>{call}</a>],
          ]}
        />
      </Section>
      <Section title="Data">
        <JsonView value={data} label="Data" />
      </Section>
    </>
  );
}
