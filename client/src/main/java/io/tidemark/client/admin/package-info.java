/** Creating, describing and changing topics. */
package io.tidemark.client.admin;
