package io.siltstone.tools.log;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.ILoggerFactory;
import org.slf4j.IMarkerFactory;
import org.slf4j.Logger;
import org.slf4j.helpers.BasicMarkerFactory;
import org.slf4j.helpers.NOPMDCAdapter;
import org.slf4j.spi.MDCAdapter;
import org.slf4j.spi.SLF4JServiceProvider;

/**
 * Gives SLF4J its loggers, which print what is wrong. SLF4J makes one a process.
 *
 * <p>Not by {@code java.util.logging}: that closes its handlers as soon as a signal comes, and what
 * fails while a command ends in good order would be lost; nor by SLF4J's simple logger, which
 * prints a stack trace with each failure.
 */
public final class LogProvider implements SLF4JServiceProvider {
  /** The system property whose value {@code true} asks for the stack traces of failures. */
  public static final String VERBOSE = "siltstone.verbose";

  private static final String API_VERSION = "2.0.99";

  private final Map<String, Logger> loggers = new ConcurrentHashMap<>();
  private final IMarkerFactory markers = new BasicMarkerFactory();
  private final MDCAdapter context = new NOPMDCAdapter();

  @Override
  public ILoggerFactory getLoggerFactory() {
    return name -> loggers.computeIfAbsent(name, ErrorLogger::new);
  }

  @Override
  public IMarkerFactory getMarkerFactory() {
    return markers;
  }

  @Override
  public MDCAdapter getMDCAdapter() {
    return context;
  }

  @Override
  public String getRequestedApiVersion() {
    return API_VERSION;
  }

  @Override
  public void initialize() {
    // Nothing is kept from before.
  }
}
