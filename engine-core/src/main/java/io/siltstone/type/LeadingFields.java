package io.siltstone.type;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The fields of a user type's value as far as it goes: those behind them are missing rather than
 * null.
 *
 * @param values any of them null
 */
record LeadingFields(List<@Nullable Object> values) {}
