package io.siltstone.bench.stress;

import io.siltstone.DatabaseOptions;
import io.siltstone.bench.workload.Profile;
import io.siltstone.bench.workload.WorkloadOptions;
import io.siltstone.schema.TableOptions;

/**
 * What to run against what. Immutable.
 *
 * @param profile of the table
 * @param load how it is written and read
 * @param table options of the table if it is not there yet
 * @param database how the database is opened
 * @param populates whether all rows are written first
 */
public record StressOptions(
    Profile profile,
    WorkloadOptions load,
    TableOptions table,
    DatabaseOptions database,
    boolean populates) {}
