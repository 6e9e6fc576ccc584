// A failed property has detected the mutant, so the search for its smallest example is skipped.
import fc from 'fast-check';

fc.configureGlobal({ endOnFailure: true });
