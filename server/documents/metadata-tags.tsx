import type { ReaderMetadata, readerIcons } from "@/lib/reader/metadata";

/** The same tags that Next generates from this metadata. e2e/documents.spec.ts compares them. */
export function MetadataTags({
  title,
  metadata,
  icons,
}: {
  title: string;
  metadata: ReaderMetadata;
  icons: ReturnType<typeof readerIcons>;
}) {
  const { description, alternates, pagination, openGraph, twitter, robots } = metadata;
  const { "application/atom+xml": feeds = [], "text/markdown": markdown } = alternates.types;
  return (
    <>
      <title>{title}</title>
      {description && <meta name="description" content={description} />}
      {robots && <meta name="robots" content="noindex" />}
      <link rel="canonical" href={alternates.canonical} />
      {feeds.map(({ url, title }) => (
        <link key={url} rel="alternate" type="application/atom+xml" href={url} title={title} />
      ))}
      {markdown && <link rel="alternate" type="text/markdown" href={markdown} />}
      {pagination.previous && <link rel="prev" href={pagination.previous} />}
      {pagination.next && <link rel="next" href={pagination.next} />}
      <meta property="og:title" content={openGraph.title} />
      {openGraph.description && <meta property="og:description" content={openGraph.description} />}
      <meta property="og:url" content={openGraph.url} />
      <meta property="og:site_name" content={openGraph.siteName} />
      {openGraph.images?.map(({ url, width, height, alt }) => (
        <Metas
          key={url}
          by="property"
          of={{ "og:image": url, "og:image:width": width, "og:image:height": height, "og:image:alt": alt }}
        />
      ))}
      <meta property="og:type" content={openGraph.type} />
      {openGraph.type === "article" && (
        <>
          <meta property="article:published_time" content={openGraph.publishedTime} />
          <meta property="article:modified_time" content={openGraph.modifiedTime} />
          {openGraph.authors.map((name) => (
            <meta key={name} property="article:author" content={name} />
          ))}
          <meta property="article:section" content={openGraph.section} />
          {openGraph.tags.map((name) => (
            <meta key={name} property="article:tag" content={name} />
          ))}
        </>
      )}
      <meta name="twitter:card" content={twitter.card} />
      <meta name="twitter:title" content={twitter.title} />
      {twitter.description && <meta name="twitter:description" content={twitter.description} />}
      {twitter.images?.map(({ url, width, height, alt }) => (
        <Metas
          key={url}
          by="name"
          of={{
            "twitter:image": url,
            "twitter:image:alt": alt,
            "twitter:image:width": width,
            "twitter:image:height": height,
          }}
        />
      ))}
      <link rel="icon" href={icons.icon.url} sizes={icons.icon.sizes} type={icons.icon.type} />
      <link rel="apple-touch-icon" href={icons.apple.url} sizes={icons.apple.sizes} type={icons.apple.type} />
    </>
  );
}

const Metas = ({ by, of }: { by: "name" | "property"; of: Record<string, string | number> }) =>
  Object.entries(of).map(([name, content]) => <meta key={name} {...{ [by]: name }} content={String(content)} />);
