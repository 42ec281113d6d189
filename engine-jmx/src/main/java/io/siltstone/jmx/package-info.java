/**
 * JMX beans of a database: {@code DatabaseBeans} registers a bean for the database, one for each
 * table and one for its compaction, in the domain {@code io.siltstone}. The interfaces ({@code
 * DatabaseMXBean}, {@code TableMXBean}, {@code CompactionMXBean}) are MXBeans, so that any client
 * can read them without this library. {@code DatabaseBeans} also has them for use within the
 * process, of a database or of its files. Safe for use by all threads.
 */
@NullMarked
package io.siltstone.jmx;

import org.jspecify.annotations.NullMarked;
