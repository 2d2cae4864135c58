/** The value records that every module shares. All are immutable. */
package io.tidemark.model;
