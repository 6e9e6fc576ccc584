import { channelName, channelsInOrder } from '../../record/channel-names.ts';
import { channels } from '../../session-facts.ts';
import { memberAt, rulesOf, withChoice, withMember, withRules } from './edit-definition.ts';

type Option = readonly [value: string, label: string];

const OUTCOMES: readonly Option[] = [
  ['', 'As the channel decides'],
  ['Paid', 'Paid'],
  ['Failed', 'Failed'],
  ['Cancelled', 'Cancelled'],
  ['Expired', 'Expired'],
];

const FAULTS: readonly Option[] = [
  ['', 'None'],
  ['latency', 'Slow answer'],
  ['timeout', 'No answer'],
  ['reset', 'Connection reset'],
  ['empty-body', 'Empty answer'],
  ['malformed-body', 'Malformed answer'],
  ['status', 'Error status'],
];

const NOTIFICATIONS: readonly Option[] = [
  ['', 'As usual'],
  ['duplicate', 'Sent twice'],
  ['delayed', 'Delayed'],
  ['reordered', 'Out of order'],
  ['dropped', 'Never sent'],
  ['tampered', 'Tampered with'],
  ['slow', 'Slow'],
  ['burst', 'Many times'],
  ['forged', 'With forgeries'],
  ['before-answer', 'Before the answer'],
];

interface FormProps {
  definition: unknown;
  onChange(definition: unknown): void;
}

/** Each change is made in the definition itself, so that members that the form does not show are preserved. */
export function DefinitionForm({ definition, onChange }: FormProps) {
  const rules = rulesOf(definition);
  const textInput = (name: string) => ({
    value: String(memberAt(definition, name) ?? ''),
    onChange: ({ currentTarget }: { currentTarget: HTMLInputElement }) =>
      onChange(withMember(definition, name, currentTarget.value)),
  });
  return (
    <div class="definition-form">
      <div class="form in-line">
        <label>
          Name
          <input pattern="[A-Za-z0-9][A-Za-z0-9\-]{0,63}" {...textInput('name')} />
        </label>
        <label>
          Description
          <input {...textInput('description')} />
        </label>
      </div>
      {rules.map((rule, index) => (
        <RuleForm
          key={index}
          number={index + 1}
          rule={rule}
          onChange={(changed) => onChange(withRules(definition, rules.with(index, changed)))}
          onRemove={() => onChange(withRules(definition, rules.toSpliced(index, 1)))}
        />
      ))}
      <button
        type="button"
        class="button"
        onClick={() => onChange(withRules(definition, [...rules, { settle: { outcome: 'Paid', after: '3s' } }]))}
      >
        Add a rule
      </button>
    </div>
  );
}

type Rule = ReturnType<typeof rulesOf>[number];

interface RuleProps {
  number: number;
  rule: Rule;
  onChange(rule: Rule): void;
  onRemove(): void;
}

function RuleForm({ number, rule, onChange, onRemove }: RuleProps) {
  const choose = (path: string) => (value: string) => onChange(withChoice(rule, path, value));
  const input = (path: string, parse: (text: string) => unknown) => ({
    value: String(memberAt(rule, path) ?? ''),
    // Not on each key press, because an incomplete number would be replaced while the user types.
    onChange: ({ currentTarget: { value } }: { currentTarget: HTMLInputElement }) =>
      onChange(withMember(rule, path, value === '' ? undefined : parse(value))),
  });
  const ids = channelsInOrder(channels.value.map(({ id }) => id));
  const kind = memberAt(rule, 'fault.kind');
  return (
    <fieldset class="rule-form">
      <legend>Rule {number}</legend>
      <div class="form in-line">
        <Select
          label="Channel"
          value={memberAt(rule, 'when.channel')}
          options={[['', 'Any'], ...ids.map((id): Option => [id, channelName(id)])]}
          onChoice={choose('when.channel')}
        />
        <label>
          Amount from
          <input type="number" step="0.01" min="0" {...input('when.amount.minimum', Number)} />
        </label>
        <label>
          Amount up to
          <input type="number" step="0.01" min="0" {...input('when.amount.maximum', Number)} />
        </label>
        <Select
          label="Outcome"
          value={memberAt(rule, 'settle.outcome')}
          options={OUTCOMES}
          onChoice={choose('settle.outcome')}
        />
        {rule['settle'] === undefined ? null : (
          <label>
            After
            <input placeholder="3s" {...input('settle.after', String)} />
          </label>
        )}
        <Select label="Fault" value={kind} options={FAULTS} onChoice={choose('fault')} />
        {kind === 'latency' ? (
          <label>
            Answer after
            <input placeholder="5s" {...input('fault.latency', String)} />
          </label>
        ) : null}
        {kind === 'status' ? (
          <label>
            Status
            <input type="number" min="400" max="599" {...input('fault.status', Number)} />
          </label>
        ) : null}
        <Select
          label="Notifications"
          value={memberAt(rule, 'webhook.mode')}
          options={NOTIFICATIONS}
          onChoice={choose('webhook.mode')}
        />
        <button type="button" class="button" aria-label={`Remove rule ${number}`} onClick={onRemove}>
          Remove
        </button>
      </div>
    </fieldset>
  );
}

interface SelectProps {
  label: string;
  value: unknown;
  options: readonly Option[];
  onChoice(value: string): void;
}

/** A choice of one option. A value that is not an option, such as several channels, is shown as text. */
function Select({ label, value = '', options, onChoice }: SelectProps) {
  const text = typeof value === 'string' ? value : [value].flat().join(', ');
  return (
    <label>
      {label}
      <select value={text} onChange={({ currentTarget }) => onChoice(currentTarget.value)}>
        {options.some(([each]) => each === text) ? null : (
          <option value={text} disabled>
            {text}
          </option>
        )}
        {options.map(([each, words]) => (
          <option key={each} value={each}>
            {words}
          </option>
        ))}
      </select>
    </label>
  );
}
