package io.siltstone.tools.load;

import io.siltstone.schema.ColumnKind;
import io.siltstone.type.CqlType;

/**
 * A column of the table that is loaded.
 *
 * @param name without quotes
 * @param index among the columns of its kind, in the order of the key, the clustering or the cells
 */
record InputColumn(String name, CqlType type, ColumnKind kind, int index, ValueCodec codec) {}
