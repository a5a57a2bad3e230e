import page from './index.html';

const server = Bun.serve({
  development: process.env.NODE_ENV !== 'production',
  routes: {
    '/*': page,
    '/api/hello': {
      GET: () => Response.json({ message: 'Hello, world!' }),
    },
  },
});

console.log(`server: ${server.url}`);
