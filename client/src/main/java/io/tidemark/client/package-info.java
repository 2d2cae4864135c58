/** What an application links: producer, consumer, admin. */
package io.tidemark.client;
