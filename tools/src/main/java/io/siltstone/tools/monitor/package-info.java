/**
 * Commands that monitor databases: {@code tablestats}, {@code tablehistograms}, {@code
 * compactionstats}, {@code compactionhistory}, {@code compaction}, {@code info}, {@code top}.
 * {@code MonitorTargets} finds the databases, in directories or in a running process. Each is a
 * {@code MonitoredDatabase} with the same management beans either way, so that a command prints
 * both in the same way.
 */
@NullMarked
package io.siltstone.tools.monitor;

import org.jspecify.annotations.NullMarked;
