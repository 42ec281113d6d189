package com.example.weather;

import java.time.Instant;

/** A measurement of a station at one moment. */
public record Reading(Instant at, double celsius, int humidity) {
  /**
   * Parses a line of text.
   *
   * @throws IllegalArgumentException if it is not {@code time,celsius,humidity}
   */
  static Reading parse(String line) {
    String[] parts = line.split(",", -1);
    if (parts.length != 3) {
      throw new IllegalArgumentException("'" + line + "', expected time,celsius,humidity");
    }
    try {
      return new Reading(
          Instant.parse(parts[0]), Double.parseDouble(parts[1]), Integer.parseInt(parts[2]));
    } catch (RuntimeException e) {
      throw new IllegalArgumentException("'" + line + "': " + e.getMessage(), e);
    }
  }

  /** Returns the line that {@link #parse} reads. */
  String toLine() {
    return at + "," + celsius + "," + humidity;
  }
}
