/**
 * A database under JMX: {@code DatabaseBeans} registers a bean for the database, one for each table
 * and one for its compaction, under the domain {@code io.siltstone}. The interfaces ({@code
 * DatabaseMXBean}, {@code TableMXBean}, {@code CompactionMXBean}) are MXBeans, so that any client
 * reads them without this library; the classes behind them ({@code DatabaseFigures}, {@code
 * TableFigures}, {@code CompactionFigures}) also serve those who have the database, or its files,
 * at hand. Safe for all threads.
 */
@NullMarked
package io.siltstone.jmx;

import org.jspecify.annotations.NullMarked;
