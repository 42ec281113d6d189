/** The kinds of state stores: key-value, window, session and versioned. */
@NullMarked
package io.siltstone.kafka.streams.store;

import org.jspecify.annotations.NullMarked;
