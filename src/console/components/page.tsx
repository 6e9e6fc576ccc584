import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { GroupLinks } from '../frame/group-links.tsx';
import type { Screen } from '../screens/screens.ts';

export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} – merchant-sandbox`;
  }, [title]);
}

interface PageProps {
  screen: Screen;
  title: string;
  className?: string;
  isBusy?: boolean;
  children: ComponentChildren;
}

/** A screen that is not a list. */
export function Page({ screen, title, className = '', isBusy = false, children }: PageProps) {
  useTitle(title);
  return (
    <div class="page" aria-busy={isBusy}>
      <div class={`page-content ${className}`}>
        <GroupLinks screen={screen} />
        {children}
      </div>
    </div>
  );
}
