/**
 * The only package that uses classes of Kafka which are not public: each use states what public
 * interface is missing. These classes are the same in 4.3 and 4.4.
 */
@NullMarked
package io.siltstone.kafka.streams.internals;

import org.jspecify.annotations.NullMarked;
