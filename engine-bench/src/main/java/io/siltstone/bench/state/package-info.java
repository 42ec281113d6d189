/**
 * The comparison of state stores of Kafka Streams over several engines, in the same process. The
 * adapters are in the module kafka-bench, with the libraries that they need; a {@link
 * java.util.ServiceLoader} finds them.
 */
@NullMarked
package io.siltstone.bench.state;

import org.jspecify.annotations.NullMarked;
