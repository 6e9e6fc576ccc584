// A property that fails has noticed; looking for its smallest example would only take time.
import fc from 'fast-check';

fc.configureGlobal({ endOnFailure: true });
