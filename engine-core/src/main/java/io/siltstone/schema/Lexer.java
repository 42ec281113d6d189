package io.siltstone.schema;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Splits CQL text into tokens, without white space and comments. Unknown characters become symbols,
 * so that skipped statements may contain anything.
 */
final class Lexer {
  private static final int UUID_LENGTH = 36;

  private final String text;
  private final List<Token> tokens = new ArrayList<>();
  private int at;

  private Lexer(String text) {
    this.text = text;
  }

  /**
   * Returns the tokens, the last of which is the end.
   *
   * @throws SchemaException if a string, name or comment does not end
   */
  static List<Token> tokens(String text) {
    Lexer lexer = new Lexer(text);
    while (lexer.at < text.length()) {
      lexer.next();
    }
    lexer.add(Token.Kind.END, "", text.length());
    return lexer.tokens;
  }

  /** Returns an error at an offset of the text. */
  static SchemaException error(String text, int offset, String message) {
    int line = 1;
    int lineStart = 0;
    for (int i = 0; i < offset; i++) {
      if (text.charAt(i) == '\n') {
        line++;
        lineStart = i + 1;
      }
    }
    return new SchemaException(line, offset - lineStart + 1, message);
  }

  private int endOfLine(int from) {
    int end = from;
    while (end < text.length() && text.charAt(end) != '\n' && text.charAt(end) != '\r') {
      end++;
    }
    return end;
  }

  private void next() {
    char c = text.charAt(at);
    if (Character.isWhitespace(c) || c == '\uFEFF') {
      at++;
    } else if (text.startsWith("--", at) || text.startsWith("//", at)) {
      at = endOfLine(at);
    } else if (text.startsWith("/*", at)) {
      at = endOf("*/", at, 2, "comment") + 2;
    } else if (text.startsWith("$$", at)) {
      int end = endOf("$$", at, 2, "string");
      add(Token.Kind.STRING, text.substring(at + 2, end), end + 2);
    } else if (c == '\'') {
      quoted(Token.Kind.STRING, c, "string");
    } else if (c == '"') {
      quoted(Token.Kind.QUOTED_NAME, c, "quoted name");
    } else if (isUuid()) {
      int end = at + UUID_LENGTH;
      add(Token.Kind.UUID, text.substring(at, end).toLowerCase(Locale.ROOT), end);
    } else if (c == '0' && at + 1 < text.length() && (text.charAt(at + 1) | 0x20) == 'x') {
      int end = at + 2;
      while (end < text.length() && Character.digit(text.charAt(end), 16) >= 0) {
        end++;
      }
      add(Token.Kind.HEX, text.substring(at, end), end);
    } else if (isDigit(at) || (c == '-' && isDigit(at + 1))) {
      number();
    } else if (isLetter(c)) {
      int end = at + 1;
      while (end < text.length()
          && (isLetter(text.charAt(end)) || isDigit(end) || isUnderscore(end))) {
        end++;
      }
      add(Token.Kind.WORD, text.substring(at, end).toLowerCase(Locale.ROOT), end);
    } else {
      add(Token.Kind.SYMBOL, text.substring(at, at + 1), at + 1);
    }
  }

  private void quoted(Token.Kind kind, char quote, String what) {
    StringBuilder content = new StringBuilder();
    int i = at + 1;
    while (true) {
      int end = text.indexOf(quote, i);
      if (end < 0) {
        throw error(text, at, what + " without closing " + quote);
      }
      content.append(text, i, end);
      if (end + 1 < text.length() && text.charAt(end + 1) == quote) {
        content.append(quote);
        i = end + 2;
      } else {
        add(kind, content.toString(), end + 1);
        return;
      }
    }
  }

  private void number() {
    int end = at + 1;
    while (isDigit(end)) {
      end++;
    }
    if (end < text.length() && text.charAt(end) == '.') {
      end++;
      while (isDigit(end)) {
        end++;
      }
    }
    if (end < text.length() && (text.charAt(end) | 0x20) == 'e') {
      int digits = end + 1;
      if (digits < text.length() && (text.charAt(digits) == '-' || text.charAt(digits) == '+')) {
        digits++;
      }
      if (isDigit(digits)) {
        end = digits;
        while (isDigit(end)) {
          end++;
        }
      }
    }
    add(Token.Kind.NUMBER, text.substring(at, end), end);
  }

  private boolean isUuid() {
    if (at + UUID_LENGTH > text.length()) {
      return false;
    }
    for (int i = 0; i < UUID_LENGTH; i++) {
      char c = text.charAt(at + i);
      boolean dash = i == 8 || i == 13 || i == 18 || i == 23;
      if (dash ? c != '-' : c >= 128 || Character.digit(c, 16) < 0) {
        return false;
      }
    }
    return true;
  }

  private int endOf(String mark, int start, int skip, String what) {
    int end = text.indexOf(mark, start + skip);
    if (end < 0) {
      throw error(text, start, what + " without closing " + mark);
    }
    return end;
  }

  private boolean isDigit(int index) {
    return index < text.length() && text.charAt(index) >= '0' && text.charAt(index) <= '9';
  }

  private boolean isUnderscore(int index) {
    return text.charAt(index) == '_';
  }

  private static boolean isLetter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  }

  private void add(Token.Kind kind, String content, int end) {
    tokens.add(new Token(kind, content, at, end));
    at = end;
  }
}
