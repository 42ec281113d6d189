/**
 * State stores for Kafka Streams. {@code SiltstoneDslStoreSuppliers} is the value of one property
 * with which an application of the DSL uses them; {@code SiltstoneStores} makes them one by one,
 * for the Processor API; {@code StoreHost} is for applications that choose the database themselves.
 */
@NullMarked
package io.siltstone.kafka.streams;

import org.jspecify.annotations.NullMarked;
