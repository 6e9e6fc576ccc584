import { signal } from '@preact/signals';
import type { AnyComponent } from 'preact';
import { useLayoutEffect } from 'preact/hooks';
import lazy from 'preact-iso/lazy';
import { LocationProvider, Route, Router, useLocation } from 'preact-iso/router';
import { consolePath, pathOf, pathOfList, screenOf, sessionName } from './address.ts';
import { ask } from './api.ts';
import { Empty } from './components/parts.tsx';
import { focusOpenedDetail, KeysDialog, overlay, useKeys } from './frame/keys.tsx';
import { Navigation } from './frame/navigation.tsx';
import { Palette } from './frame/palette.tsx';
import { Toasts } from './frame/toasts.tsx';
import { TopBar } from './frame/top-bar.tsx';
import { Overview } from './screens/overview/overview.tsx';
import { Payments } from './screens/payments/payments.tsx';
import { ALL_SCREENS, FORMER_SCREENS, GROUP_SCREENS, type Screen } from './screens/screens.ts';
import { Traffic } from './screens/traffic/traffic.tsx';
import { refusal } from './session-facts.ts';
import { reconnect } from './stream.ts';
import { attempt } from './toasts.ts';

/** The first script contains the overview, payments and traffic, which are used most; other screens are fetched when they are opened. */
const COMPONENTS: Readonly<Record<Screen, AnyComponent<{ id?: string }>>> = {
  overview: Overview,
  payments: Payments,
  traffic: Traffic,
  endpoints: lazy(() => import('./screens/traffic/endpoints.tsx').then((screen) => screen.Endpoints)),
  integration: lazy(() => import('./screens/integration/integration.tsx').then((screen) => screen.Integration)),
  payouts: lazy(() => import('./screens/payouts/payouts.tsx').then((screen) => screen.Payouts)),
  links: lazy(() => import('./screens/links/links.tsx').then((screen) => screen.Links)),
  recurring: lazy(() => import('./screens/recurring/recurring.tsx').then((screen) => screen.Recurring)),
  tokens: lazy(() => import('./screens/tokens/tokens.tsx').then((screen) => screen.Tokens)),
  codes: lazy(() => import('./screens/codes/codes.tsx').then((screen) => screen.ShopCodes)),
  settlements: lazy(() => import('./screens/settlements/settlements.tsx').then((screen) => screen.Settlements)),
  balances: lazy(() => import('./screens/balances/balances.tsx').then((screen) => screen.Balances)),
  ledger: lazy(() => import('./screens/ledger/ledger.tsx').then((screen) => screen.Ledger)),
  scenarios: lazy(() => import('./screens/scenarios/scenarios.tsx').then((screen) => screen.Scenarios)),
  sessions: lazy(() => import('./screens/sessions/sessions.tsx').then((screen) => screen.Sessions)),
  try: lazy(() => import('./screens/try/try.tsx').then((screen) => screen.Try)),
  examination: lazy(() => import('./screens/examination/examination.tsx').then((screen) => screen.Examination)),
};

/** Whether the script of the next screen is being fetched, while the previous screen is still shown. */
const isLoading = signal(false);

export function Console() {
  return (
    <LocationProvider scope={consolePath}>
      <Frame />
    </LocationProvider>
  );
}

function Frame() {
  useKeys();
  return (
    <div class="frame">
      <a class="skip" href="#main">
        Skip to content
      </a>
      <Navigation />
      <div class="work">
        <TopBar />
        <main id="main" tabIndex={-1} aria-busy={isLoading}>
          {refusal.value === undefined ? <Screens /> : <Refused />}
        </main>
      </div>
      <Toasts />
      {overlay.value === 'keys' ? <KeysDialog /> : null}
      {overlay.value === 'palette' ? <Palette /> : null}
    </div>
  );
}

const ROUTES = ALL_SCREENS.map(({ name, hasRecords = false }) => (
  // Without keys, because the router keeps one component for all routes, which waits for the script of the next one.
  <Route path={`${pathOf(name)}${hasRecords ? '/:id?' : ''}`} component={COMPONENTS[name]} />
));

function Screens() {
  const setLoading = (isNowLoading: boolean) => {
    isLoading.value = isNowLoading;
    focusOpenedDetail();
  };
  return (
    <Router onLoadStart={() => setLoading(true)} onLoadEnd={() => setLoading(false)}>
      {ROUTES}
      {[...Object.keys(FORMER_SCREENS), ...GROUP_SCREENS.keys()].map((name) => (
        <Route path={`${consolePath}${name}/:id?`} component={Redirect} />
      ))}
      <Route default component={NoScreen} />
    </Router>
  );
}

/** Redirects from the address of a group, and from addresses of earlier versions. */
function Redirect({ id }: { id?: string }) {
  const { path, query, route } = useLocation();
  useLayoutEffect(() => {
    const name = screenOf(path);
    const firstOfGroup = GROUP_SCREENS.get(name);
    if (firstOfGroup !== undefined) {
      route(pathOf(firstOfGroup, id), true);
    } else if (isFormer(name)) {
      const list = pathOfList('traffic', `${FORMER_SCREENS[name]} ${query['q'] ?? ''}`.trim());
      const record = id === 'endpoints' ? pathOf('endpoints') : pathOf('traffic', id);
      route(id === undefined ? list : record, true);
    }
  }, [path]);
  return null;
}

const isFormer = (name: string): name is keyof typeof FORMER_SCREENS => name in FORMER_SCREENS;

function NoScreen() {
  return (
    <Empty title="Page not found">
      <a class="button" href={pathOf('overview')}>
        Go to the overview
      </a>
    </Empty>
  );
}

function Refused() {
  const { status, message } = refusal.value ?? { status: 0, message: '' };
  if (status === 401) {
    return (
      <Empty title="Control token required">
        <p>Open the console with the address that was printed at startup: it contains the control token.</p>
      </Empty>
    );
  }
  if (status !== 404) {
    return <Empty title="This session cannot be shown">{<p>{message}</p>}</Empty>;
  }
  const create = () =>
    attempt(async () => {
      await ask('POST', 'sessions', { body: { name: sessionName } });
      reconnect();
    });
  return (
    <Empty title={`There is no session ${sessionName}`}>
      <p>It is created by its first call, or with this button.</p>
      <button type="button" class="button primary" onClick={create}>
        Create session
      </button>
    </Empty>
  );
}
