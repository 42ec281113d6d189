/**
 * The database of an application instance: which databases are open, which table belongs to which
 * store and partition, and which tables are dropped. Knows nothing of what the tables contain.
 */
@NullMarked
package io.siltstone.kafka.streams.host;

import org.jspecify.annotations.NullMarked;
