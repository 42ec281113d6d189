/** What lets Kafka's own suites run over Siltstone's stores. */
@NullMarked
package io.siltstone.kafka.judges.suites;

import org.jspecify.annotations.NullMarked;
