/** Kafka's tests, and its own stores, as the judges of Siltstone's state stores. */
@NullMarked
package io.siltstone.kafka.judges;

import org.jspecify.annotations.NullMarked;
