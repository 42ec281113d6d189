package io.siltstone.tools.monitor;

import io.siltstone.jmx.BeanNames;
import io.siltstone.jmx.CompactionMXBean;
import io.siltstone.jmx.DatabaseMXBean;
import io.siltstone.jmx.TableMXBean;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.lang.management.RuntimeMXBean;
import java.util.List;
import java.util.Optional;
import javax.management.JMX;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;

/** A database that another process has open, seen through its management beans. */
record RunningDatabase(MBeanServerConnection server, String place, RunningProcess running)
    implements MonitoredDatabase {

  /** Returns all databases whose beans a server has, by their places. */
  static List<MonitoredDatabase> all(MBeanServerConnection server) throws IOException {
    RunningProcess running =
        new RunningProcess(
            ManagementFactory.newPlatformMXBeanProxy(
                server, ManagementFactory.RUNTIME_MXBEAN_NAME, RuntimeMXBean.class),
            ManagementFactory.newPlatformMXBeanProxy(
                server, ManagementFactory.MEMORY_MXBEAN_NAME, MemoryMXBean.class));
    return server.queryNames(BeanNames.databases(), null).stream()
        .map(BeanNames::path)
        .sorted()
        .<MonitoredDatabase>map(place -> new RunningDatabase(server, place, running))
        .toList();
  }

  @Override
  public Optional<DatabaseMXBean> database() {
    return Optional.of(JMX.newMXBeanProxy(server, BeanNames.database(place), DatabaseMXBean.class));
  }

  @Override
  public Optional<CompactionMXBean> compaction() {
    ObjectName name = BeanNames.compaction(place);
    try {
      return server.isRegistered(name)
          ? Optional.of(JMX.newMXBeanProxy(server, name, CompactionMXBean.class))
          : Optional.empty();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public List<TableMXBean> tables() {
    return database().orElseThrow().getTables().stream()
        .map(
            name -> {
              // Names of keyspaces contain no dot.
              int dot = name.indexOf('.');
              return JMX.newMXBeanProxy(
                  server,
                  BeanNames.table(place, name.substring(0, dot), name.substring(dot + 1)),
                  TableMXBean.class);
            })
        .toList();
  }

  @Override
  public Optional<RunningProcess> process() {
    return Optional.of(running);
  }

  @Override
  public void close() {
    // The opener closes the connection.
  }
}
