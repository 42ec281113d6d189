package io.siltstone.cursor;

import io.siltstone.type.CqlType;

/**
 * A column as a file's header names it. Columns are ordered simple before complex, then by the
 * UTF-8 bytes of their names.
 *
 * @param name as written, without quotes
 * @param type of its values at the time of writing
 */
public record HeaderColumn(String name, CqlType type) {}
