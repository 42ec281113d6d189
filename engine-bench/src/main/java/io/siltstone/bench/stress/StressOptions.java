package io.siltstone.bench.stress;

import io.siltstone.DatabaseOptions;
import io.siltstone.bench.workload.Profile;
import io.siltstone.bench.workload.WorkloadOptions;
import io.siltstone.schema.TableOptions;

/**
 * The options of a stress run. Immutable.
 *
 * @param profile of the table
 * @param load how it is written and read
 * @param table options of the table if it does not exist yet
 * @param database options to open the database with
 * @param populates whether all rows are written first
 */
public record StressOptions(
    Profile profile,
    WorkloadOptions load,
    TableOptions table,
    DatabaseOptions database,
    boolean populates) {}
