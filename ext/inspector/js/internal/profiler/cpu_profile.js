// A CPU profile in the form of the DevTools Protocol (`Profiler.Profile`), which Chrome, VS Code
// and speedscope read. In: a recording of the engine's samples. Out: a tree of calls with hit
// counts, and the sample of each moment. The engine samples scripts alone: time between samples
// that is longer than the interval is that of `(program)`. The engine gives the position that runs,
// not where its function begins: the first position that was seen in a function stands for that.
'use strict';

const ROOT = '(root)';
const PROGRAM = '(program)';

/** The engine's "no source" and "no line". */
const NONE = 0xFFFFFFFF;

/** What the engine calls a frame without a name. */
const UNKNOWN = '(unknown)';

/** Gaps of so many intervals are no delays of the sampler. */
const GAP_INTERVALS = 3;

class Tree {
  #nodes = [];
  #ids = new Map();

  constructor() { this.root = this.#add(undefined, '', callFrameOf(ROOT)); }

  /** The node of a call of a function from another node. */
  child(parent, key, callFrame) {
    const place = `${parent.id} ${key}`;
    return this.#ids.get(place) ?? this.#add(parent, place, callFrame);
  }

  #add(parent, place, callFrame) {
    const node = { id: this.#nodes.length + 1, callFrame, hitCount: 0, children: [], ticks: new Map() };
    this.#nodes.push(node);
    this.#ids.set(place, node);
    parent?.children.push(node.id);
    return node;
  }

  nodes() {
    return this.#nodes.map(({ children, ticks, ...node }) => ({
      ...node,
      ...(children.length > 0 && { children }),
      ...(ticks.size > 0 && { positionTicks: Array.from(ticks, ([line, count]) => ({ line, ticks: count })) }),
    }));
  }
}

/** Positions count from 0. */
function callFrameOf(functionName, scriptId = 0, url = '', lineNumber = -1, columnNumber = -1) {
  return { functionName, scriptId: String(scriptId), url, lineNumber, columnNumber };
}

/** `interval`: microseconds; samples that follow faster are left out. */
function toProfile({ startTime, endTime, samples, sources, interval: engineInterval }, interval = engineInterval) {
  const tree = new Tree();
  const reader = new FrameReader(sources, samples);
  const program = () => tree.child(tree.root, PROGRAM, callFrameOf(PROGRAM));
  const profile = { nodes: [], startTime, endTime, samples: [], timeDeltas: [] };
  let last = startTime;
  const add = (node, time) => {
    node.hitCount += 1;
    profile.samples.push(node.id);
    profile.timeDeltas.push(time - last);
    last = time;
  };
  for (const { timestamp, frames } of samples) {
    const time = Math.round(timestamp * 1e6);
    if (time < last || time > endTime || (interval > engineInterval && profile.samples.length > 0 && time - last < interval)) continue;
    if (time - last > GAP_INTERVALS * interval) add(program(), time - interval);
    let node = tree.root;
    for (const frame of frames.toReversed()) node = tree.child(node, keyOf(frame), reader.callFrame(frame));
    if (node === tree.root) node = program();
    else countLine(node, reader.position(frames[0])[1]);
    add(node, time);
  }
  if (endTime - last > GAP_INTERVALS * interval) add(program(), endTime);
  profile.nodes = tree.nodes();
  return profile;
}

function countLine({ ticks }, line) {
  if (line > 0) ticks.set(line, (ticks.get(line) ?? 0) + 1);
}

/** The function of a frame: its source, the hash of its code, its name. */
function keyOf({ sourceID, location, name }) { return `${sourceID} ${location.split(':', 1)[0]} ${name}`; }

/** Reads frames of the engine: lines from 1, positions in transpiled code. */
class FrameReader {
  #sources;
  /** The first position of each function. */
  #starts = new Map();
  #callFrames = new Map();
  #positions = new Map();

  constructor(sources, samples) {
    this.#sources = sources;
    for (const { frames } of samples) {
      for (const frame of frames) {
        const start = this.#starts.get(keyOf(frame));
        if (start === undefined || frame.line < start.line || (frame.line === start.line && frame.column < start.column)) this.#starts.set(keyOf(frame), frame);
      }
    }
  }

  callFrame(frame) {
    const key = keyOf(frame);
    let callFrame = this.#callFrames.get(key);
    if (callFrame !== undefined) return callFrame;
    const { name, sourceID } = frame;
    const [address, line, column] = this.position(this.#starts.get(key));
    callFrame = callFrameOf(name === UNKNOWN ? '' : name, sourceID === NONE ? 0 : sourceID, toUrl(address), line - 1, column - 1);
    this.#callFrames.set(key, callFrame);
    return callFrame;
  }

  /** `[address, line, column]` in the file as it was written; line 0: there is none. */
  position({ sourceID, line, column }) {
    const key = `${sourceID} ${line}:${column}`;
    let position = this.#positions.get(key);
    if (position !== undefined) return position;
    const address = this.#sources.get(sourceID) ?? '';
    position = line === NONE || address === '' ? [address, 0, 0] : [address, line, column];
    if (position[1] > 0 && !address.startsWith('node:')) position = internalBinding('source_positions').original(...position, true) ?? position;
    this.#positions.set(key, position);
    return position;
  }
}

function toUrl(address) {
  return address.startsWith('/') ? require('url').pathToFileURL(address).href : address;
}

module.exports = { toProfile };
