import { signal } from '@preact/signals';
import lazy from 'preact-iso/lazy';
import { LocationProvider, Route, Router } from 'preact-iso/router';
import { consolePath, pathOf, sessionName } from './address.ts';
import { ask } from './api.ts';
import { Empty } from './components/parts.tsx';
import { refusal } from './facts.ts';
import { KeysDialog, overlay, useKeys } from './frame/keys.tsx';
import { Navigation } from './frame/navigation.tsx';
import { Palette } from './frame/palette.tsx';
import { Toasts } from './frame/toasts.tsx';
import { TopBar } from './frame/top-bar.tsx';
import { Overview } from './screens/overview/overview.tsx';
import { Payments } from './screens/payments/payments.tsx';
import { Requests } from './screens/requests/requests.tsx';
import { reconnect } from './stream.ts';
import { attempt } from './toasts.ts';

/** Fetched when they are opened: what is read first, the overview, the payments and the calls, comes with the first script. */
const Integration = lazy(() => import('./screens/integration/integration.tsx').then((screen) => screen.Integration));
const Payouts = lazy(() => import('./screens/payouts/payouts.tsx').then((screen) => screen.Payouts));
const Links = lazy(() => import('./screens/links/links.tsx').then((screen) => screen.Links));
const Recurring = lazy(() => import('./screens/recurring/recurring.tsx').then((screen) => screen.Recurring));
const Tokens = lazy(() => import('./screens/tokens/tokens.tsx').then((screen) => screen.Tokens));
const ShopCodes = lazy(() => import('./screens/codes/codes.tsx').then((screen) => screen.ShopCodes));
const Settlements = lazy(() => import('./screens/settlements/settlements.tsx').then((screen) => screen.Settlements));
const Balances = lazy(() => import('./screens/balances/balances.tsx').then((screen) => screen.Balances));
const Ledger = lazy(() => import('./screens/ledger/ledger.tsx').then((screen) => screen.Ledger));
const Deliveries = lazy(() => import('./screens/deliveries/deliveries.tsx').then((screen) => screen.Deliveries));
const Events = lazy(() => import('./screens/events/events.tsx').then((screen) => screen.Events));
const Scenarios = lazy(() => import('./screens/scenarios/scenarios.tsx').then((screen) => screen.Scenarios));
const Sessions = lazy(() => import('./screens/sessions/sessions.tsx').then((screen) => screen.Sessions));
const Try = lazy(() => import('./screens/try/try.tsx').then((screen) => screen.Try));
const Examination = lazy(() => import('./screens/examination/examination.tsx').then((screen) => screen.Examination));

/** Whether the next screen's script is on its way; the screen of before is shown meanwhile. */
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

function Screens() {
  const setLoading = (is: boolean) => {
    isLoading.value = is;
  };
  return (
    <Router onLoadStart={() => setLoading(true)} onLoadEnd={() => setLoading(false)}>
      <Route path={pathOf('overview')} component={Overview} />
      <Route path={pathOf('integration')} component={Integration} />
      <Route path={`${pathOf('payments')}/:id?`} component={Payments} />
      <Route path={`${pathOf('payouts')}/:id?`} component={Payouts} />
      <Route path={`${pathOf('links')}/:id?`} component={Links} />
      <Route path={`${pathOf('recurring')}/:id?`} component={Recurring} />
      <Route path={`${pathOf('tokens')}/:id?`} component={Tokens} />
      <Route path={`${pathOf('codes')}/:id?`} component={ShopCodes} />
      <Route path={`${pathOf('settlements')}/:id?`} component={Settlements} />
      <Route path={pathOf('balances')} component={Balances} />
      <Route path={pathOf('ledger')} component={Ledger} />
      <Route path={`${pathOf('requests')}/:id?`} component={Requests} />
      <Route path={`${pathOf('deliveries')}/:id?`} component={Deliveries} />
      <Route path={`${pathOf('events')}/:id?`} component={Events} />
      <Route path={`${pathOf('scenarios')}/:id?`} component={Scenarios} />
      <Route path={`${pathOf('sessions')}/:id?`} component={Sessions} />
      <Route path={`${pathOf('try')}/:id?`} component={Try} />
      <Route path={pathOf('examination')} component={Examination} />
      <Route default component={NoScreen} />
    </Router>
  );
}

function NoScreen() {
  return (
    <Empty title="Page not found">
      <a class="button" href={pathOf('overview')}>
        Go to the overview
      </a>
    </Empty>
  );
}

/** The sandbox shows nothing of this session: it asks for its token, or there is no such session. */
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
  const make = () =>
    attempt(async () => {
      await ask('POST', 'sessions', { body: { name: sessionName } });
      reconnect();
    });
  return (
    <Empty title={`There is no session ${sessionName}`}>
      <p>It is created by its first call, or with this button.</p>
      <button type="button" class="button primary" onClick={make}>
        Create session
      </button>
    </Empty>
  );
}
