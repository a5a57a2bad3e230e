import tailwind from './tailwind';

const { outputs } = await Bun.build({
  entrypoints: ['src/index.html'],
  outdir: 'dist',
  minify: true,
  define: { 'process.env.NODE_ENV': '"production"' },
  plugins: [tailwind],
});

for (const { path, size } of outputs) console.log(path, size);
