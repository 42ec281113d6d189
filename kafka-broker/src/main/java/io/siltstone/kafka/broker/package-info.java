/** A Kafka broker for tests, without anything to install. */
@NullMarked
package io.siltstone.kafka.broker;

import org.jspecify.annotations.NullMarked;
