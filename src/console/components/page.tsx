import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { GroupLinks } from '../frame/group-links.tsx';
import type { Screen } from '../screens/screens.ts';

interface PageProps {
  screen: Screen;
  /** Of the window. */
  title: string;
  kind?: string;
  isBusy?: boolean;
  children: ComponentChildren;
}

/** A screen that is no list. */
export function Page({ screen, title, kind = '', isBusy = false, children }: PageProps) {
  useEffect(() => {
    document.title = `${title} – merchant-sandbox`;
  }, [title]);
  return (
    <div class="page" aria-busy={isBusy}>
      <div class={`page-content ${kind}`}>
        <GroupLinks screen={screen} />
        {children}
      </div>
    </div>
  );
}
