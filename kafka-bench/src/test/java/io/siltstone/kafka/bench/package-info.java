/**
 * Siltstone's state stores and Kafka's, as they are compared. They are test code, like the
 * libraries, because nothing of this module is published.
 */
@NullMarked
package io.siltstone.kafka.bench;

import org.jspecify.annotations.NullMarked;
