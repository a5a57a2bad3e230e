// lcov reporter: coverage as a tracefile of geninfo(1). In: events. Out: a record for each file,
// paths relative to the directory of the run.
'use strict';

const { Transform } = require('stream');

class LcovReporter extends Transform {
  constructor() { super({ writableObjectMode: true }); }

  _transform({ type, data }, encoding, callback) {
    if (type !== 'test:coverage') return callback(null);
    const { files, workingDirectory } = data.summary;
    callback(null, files.map((file) => renderRecord(file, workingDirectory)).join(''));
  }
}

function renderRecord(file, workingDirectory) {
  const lines = ['TN:', `SF:${require('path').relative(workingDirectory, file.path)}`];
  const names = file.functions.map(({ name }, index) => (name === '' ? `anonymous_${index}` : name.replace(/[,\r\n]/g, '_')));
  file.functions.forEach(({ line }, index) => lines.push(`FN:${line},${names[index]}`));
  file.functions.forEach(({ count }, index) => lines.push(`FNDA:${count},${names[index]}`));
  lines.push(`FNF:${file.totalFunctionCount}`, `FNH:${file.coveredFunctionCount}`);
  file.branches.forEach(({ line, count }, index) => lines.push(`BRDA:${line},${index},0,${count}`));
  lines.push(`BRF:${file.totalBranchCount}`, `BRH:${file.coveredBranchCount}`);
  for (const { line, count } of file.lines) lines.push(`DA:${line},${count}`);
  lines.push(`LH:${file.coveredLineCount}`, `LF:${file.totalLineCount}`, 'end_of_record', '');
  return lines.join('\n');
}

module.exports = { make: () => new LcovReporter() };
