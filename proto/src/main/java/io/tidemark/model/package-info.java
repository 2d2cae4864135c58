/** The value records that every module shares, all immutable, and the search for a mistyped name. */
package io.tidemark.model;
