/**
 * The command line {@code siltstone}. {@link io.siltstone.tools.Siltstone} lists the commands; each
 * is one class, named after the command, in one of these packages:
 *
 * <ul>
 *   <li>{@code bench}, {@code dump}, {@code metadata}, {@code simulate}, {@code stress}: the
 *       command of that name
 *   <li>{@code compact}: {@code compact} and the other commands that rewrite the SSTables of a
 *       table ({@code garbagecollect}, {@code recompress}, {@code relevel}, {@code scrub}, {@code
 *       split}, {@code train-dictionary}, {@code upgradesstables}), and {@code explain}, which
 *       prints what compaction would do next
 *   <li>{@code inspect}: {@code inspect}, {@code advise} and {@code explain-key}
 *   <li>{@code load}: {@code load} and {@code export}
 *   <li>{@code monitor}: {@code info}, {@code top}, {@code tablestats}, {@code tablehistograms},
 *       {@code compactionstats}, {@code compactionhistory} and {@code compaction}, which also work
 *       on a running process
 *   <li>{@code verify}: {@code verify} and {@code rebuild}
 * </ul>
 *
 * <p>They share {@code terminal} (options, output, errors), {@code process} (JMX connections) and
 * {@code log}. Each command is confined to the thread that runs it.
 */
@NullMarked
package io.siltstone.tools;

import org.jspecify.annotations.NullMarked;
