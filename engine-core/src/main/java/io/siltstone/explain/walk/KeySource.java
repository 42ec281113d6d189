package io.siltstone.explain.walk;

import io.siltstone.cursor.PartitionCursor;
import io.siltstone.explain.Source;
import org.jspecify.annotations.Nullable;

/**
 * A source with a cursor over the partition of a key.
 *
 * @param source that may have it
 * @param cursor before the partition of the key, which is the only one it shows; null if the source
 *     does not have it, though its filter and statistics cannot tell
 */
@SuppressWarnings("exports")
public record KeySource(Source source, @Nullable PartitionCursor cursor) {}
