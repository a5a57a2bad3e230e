import { compile } from '@tailwindcss/node';
import { Scanner } from '@tailwindcss/oxide';
import type { BunPlugin } from 'bun';
import { dirname, join } from 'node:path';

const SOURCES = { base: join(import.meta.dir, 'src'), pattern: '**/*', negated: false };

/** Gives stylesheets that import Tailwind CSS the classes that the sources mention. */
const tailwind: BunPlugin = {
  name: 'tailwind',
  setup(build) {
    build.onLoad({ filter: /\.css$/ }, async ({ path }) => {
      const source = await Bun.file(path).text();
      if (!source.includes('tailwindcss')) return undefined;
      const imported: string[] = [];
      const onDependency = (file: string) => void imported.push(file);
      const compiler = await compile(source, { base: dirname(path), onDependency });
      const scanner = new Scanner({ sources: [SOURCES, ...compiler.sources] });
      const contents = compiler.build(scanner.scan());
      return { contents, loader: 'css', watchFiles: [...imported, ...scanner.files] };
    });
  },
};

export default tailwind;
