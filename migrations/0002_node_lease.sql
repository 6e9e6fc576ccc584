-- How long each node's lease is. One that ends later than that from now was written before the clock was set back.
alter table sandbox.node add column lease interval;
