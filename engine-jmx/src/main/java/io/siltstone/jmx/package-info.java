/**
 * JMX beans of a database: {@code DatabaseBeans} registers a bean for the database, one for each
 * table and one for its compaction, in the domain {@code io.siltstone}. The interfaces ({@code
 * DatabaseMXBean}, {@code TableMXBean}, {@code CompactionMXBean}) are MXBeans, so that any client
 * can read them without this library. Their implementations ({@code DatabaseFigures}, {@code
 * TableFigures}, {@code CompactionFigures}) can also be used within the process, for a database or
 * for its files. Safe for use by all threads.
 */
@NullMarked
package io.siltstone.jmx;

import org.jspecify.annotations.NullMarked;
