// The adapter of the gallery for a shop that gets no notifications, so that its reconciler has to find every payment.
export { app, orderState, placeOrder, reconcile, restart } from '../../examples/examine.mjs';
