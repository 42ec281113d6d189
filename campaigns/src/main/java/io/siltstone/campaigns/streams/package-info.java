/** Applications of Kafka Streams that are halted at random moments, and their counts. */
@NullMarked
package io.siltstone.campaigns.streams;

import org.jspecify.annotations.NullMarked;
