/** The rules of the house as tests. Compiled into each module's tests, so that every module checks itself. */
package io.tidemark.architecture;
