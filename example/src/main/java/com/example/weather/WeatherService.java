package com.example.weather;

import com.sun.net.httpserver.HttpServer;
import io.siltstone.Database;
import io.siltstone.DatabaseOptions;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.slf4j.LoggerFactory;

/** The service: a web server in front of a database. */
public final class WeatherService implements Closeable {
  private static final int THREADS = 16;
  private static final int SECONDS_TO_FINISH = 5;

  private final Database database;
  private final ExecutorService threads;
  private final HttpServer server;

  private WeatherService(Database database, HttpServer server) throws IOException {
    this.database = database;
    this.server = server;
    this.threads = Executors.newFixedThreadPool(THREADS);
    server.createContext("/", new WeatherHandler(new Readings(database)));
    server.setExecutor(threads);
    server.start();
  }

  /** Returns options for a small service. */
  static DatabaseOptions.Builder options() {
    return DatabaseOptions.builder()
        .memoryBytes(256 << 20)
        .memtableBytes(64 << 20)
        .chunkCacheBytes(64 << 20)
        .listener(new EngineLog());
  }

  /**
   * Opens the database and starts the server.
   *
   * @param port of this machine only, 0 for any free port
   */
  public static WeatherService start(Path directory, DatabaseOptions options, int port)
      throws IOException {
    Database database = Database.open(directory, options);
    try {
      InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
      return new WeatherService(database, HttpServer.create(address, 0));
    } catch (IOException | RuntimeException e) {
      database.close();
      throw e;
    }
  }

  /** Returns the port of the server. */
  public int port() {
    return server.getAddress().getPort();
  }

  /** Waits up to five seconds for running requests, then flushes and closes the database. */
  @Override
  public void close() throws IOException {
    threads.shutdown();
    try {
      threads.awaitTermination(SECONDS_TO_FINISH, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    server.stop(0);
    // Waits for running calls, and flushes.
    database.close();
  }

  /** Runs the service until the process is terminated: {@code WeatherService DIRECTORY PORT}. */
  public static void main(String[] args) throws IOException {
    if (args.length != 2) {
      System.err.println("usage: WeatherService DIRECTORY PORT");
      System.exit(2);
    }
    WeatherService service = start(Path.of(args[0]), options().build(), Integer.parseInt(args[1]));
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  try {
                    service.close();
                  } catch (IOException e) {
                    LoggerFactory.getLogger(WeatherService.class).error("not closed cleanly", e);
                  }
                }));
    System.out.println("http://localhost:" + service.port() + "/stations");
  }
}
