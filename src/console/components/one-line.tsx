import type { VNode } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Icon } from './icon.tsx';
import { type Choice, Menu } from './menu.tsx';

interface OneLineProps<Item extends Choice> {
  choices: readonly Item[];
  render(choice: Item): VNode;
  /** The label of the menu's button; if a choice in the menu is chosen, the button has its label instead. */
  more: string;
  /** Replaces `more` if no choice fits into the line. */
  all?: string;
  className: string;
}

/** Choices in one line. Those that do not fit are in a menu at its end. */
export function OneLine<Item extends Choice>({ choices, render, more, all = more, className }: OneLineProps<Item>) {
  const line = useRef<HTMLDivElement>(null);
  const [fittingCount, setFittingCount] = useState(choices.length);
  const measure = () => setFittingCount(line.current === null ? choices.length : countFitting(line.current));
  useLayoutEffect(measure);
  useEffect(() => {
    const observer = new ResizeObserver(() => setFittingCount(line.current === null ? 0 : countFitting(line.current)));
    observer.observe(line.current as Element);
    return () => observer.disconnect();
  }, []);
  const rest = choices.slice(fittingCount);
  const chosen = rest.find(({ isChosen }) => isChosen);
  const name = fittingCount === 0 ? all : more;
  return (
    <div class="one-line">
      <div class="line" ref={line}>
        {choices.map((choice, index) => (
          <div key={choice.key} class={index < fittingCount ? 'fits' : 'cut'}>
            {render(choice)}
          </div>
        ))}
      </div>
      {rest.length === 0 ? null : (
        <Menu
          name={name}
          className={`${className} more ${chosen === undefined ? '' : 'chosen'}`}
          button={
            <>
              {chosen === undefined ? null : <span class="visually-hidden">{name}: </span>}
              <span class="labels">
                {/* As wide as the widest label, because the width decides how many choices fit, and their number decides the label. */}
                {[all, more].map((label) => (
                  <span key={label} class="ghost" aria-hidden="true">
                    {label}
                  </span>
                ))}
                <span>{chosen === undefined ? name : chosen.label}</span>
              </span>
              <Icon name="chevron" />
            </>
          }
          choices={rest}
        />
      )}
    </div>
  );
}

function countFitting(line: HTMLElement): number {
  const items = [...line.children] as HTMLElement[];
  const end = line.getBoundingClientRect().right;
  const firstCut = items.findIndex((item) => item.getBoundingClientRect().right > end + 0.5);
  const isColumn = getComputedStyle(line).flexDirection === 'column';
  return firstCut === -1 || isColumn ? items.length : firstCut;
}
