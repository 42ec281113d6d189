package io.siltstone.tools.process;

import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import io.siltstone.tools.terminal.UsageException;
import java.io.Closeable;
import java.io.IOException;
import java.net.MalformedURLException;
import java.util.List;
import java.util.Map;
import javax.management.MBeanServerConnection;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/** A JMX connection to another JVM; closed by its opener. */
final class Connection implements Closeable {
  private static final int MOST_PORT = 65_535;

  private final JMXConnector connector;
  private final MBeanServerConnection server;

  private Connection(JMXConnector connector) throws IOException {
    this.connector = connector;
    this.server = connector.getMBeanServerConnection();
  }

  /**
   * Connects to a JVM of the same user on this machine, which needs no options for it.
   *
   * @throws IOException if there is no such process, or if it is not a JVM that can be attached to
   */
  static Connection toProcess(long pid) throws IOException {
    String url;
    try {
      VirtualMachine machine = VirtualMachine.attach(Long.toString(pid));
      try {
        url = machine.startLocalManagementAgent();
      } finally {
        machine.detach();
      }
    } catch (AttachNotSupportedException | IOException e) {
      throw new IOException(
          "cannot attach to process "
              + pid
              + ", which must be a JVM of the same user: "
              + e.getMessage(),
          e);
    }
    return to(new JMXServiceURL(url), Map.of(), "process " + pid);
  }

  /**
   * Connects to a JVM that listens for JMX ({@code -Dcom.sun.management.jmxremote.port}).
   *
   * @param address {@code host:port}
   * @param login name and password, or empty if the JVM asks for none
   */
  static Connection toAddress(String address, List<String> login) throws IOException {
    if (!address.matches("(\\[[0-9a-fA-F:.]+]|[^:\\[\\]/]+):[0-9]{1,5}")) {
      throw new UsageException("--jmx " + address + ", expected host:port");
    }
    int port = Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
    UsageException.require(
        port >= 1 && port <= MOST_PORT, "--jmx", address, "ports from 1 to " + MOST_PORT);
    try {
      return to(
          new JMXServiceURL("service:jmx:rmi:///jndi/rmi://" + address + "/jmxrmi"),
          login.isEmpty()
              ? Map.of()
              : Map.of(JMXConnector.CREDENTIALS, login.toArray(new String[0])),
          address);
    } catch (MalformedURLException e) {
      throw new UsageException("--jmx " + address + ": " + e.getMessage(), e);
    }
  }

  // Like jconsole, trusts the server at an address that the user has chosen.
  @SuppressWarnings("BanJNDI")
  private static Connection to(JMXServiceURL url, Map<String, ?> environment, String where)
      throws IOException {
    try {
      return new Connection(JMXConnectorFactory.connect(url, environment));
    } catch (IOException | SecurityException e) {
      throw new IOException("cannot connect to " + where + ": " + e.getMessage(), e);
    }
  }

  MBeanServerConnection server() {
    return server;
  }

  @Override
  public void close() throws IOException {
    connector.close();
  }
}
