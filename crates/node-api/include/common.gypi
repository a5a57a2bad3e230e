# Settings of addons that node-gyp builds: those of Node on Linux, as far as they are about addons.
{
  'variables': {
    'asan%': 0,
    'clang%': 0,
    'component%': 'static_library',
    'coverage%': 'false',
    'enable_lto%': 'false',
    'host_arch%': '<(target_arch)',
    'library%': 'static_library',
    'node_shared%': 'false',
    'openssl_fips%': '',
    'visibility%': 'hidden',
  },

  'target_defaults': {
    'default_configuration': 'Release',
    'configurations': {
      'Debug': {
        'defines': [ 'DEBUG', '_DEBUG' ],
        'cflags': [ '-g', '-O0' ],
      },
      'Release': {
        'cflags': [ '-O3', '-fno-omit-frame-pointer' ],
      },
    },
    'defines': [ '_GLIBCXX_USE_CXX11_ABI=1' ],
    'cflags': [ '-pthread', '-Wall', '-Wextra', '-Wno-unused-parameter' ],
    'cflags_cc': [ '-fno-rtti', '-fno-exceptions', '-fno-strict-aliasing', '-std=gnu++20' ],
    'ldflags': [ '-pthread', '-rdynamic' ],
    'target_conditions': [
      [ '_type=="static_library"', {
        'standalone_static_library': 1,
      }],
    ],
  },
}
